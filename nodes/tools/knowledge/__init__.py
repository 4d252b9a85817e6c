"""Runbooks: cut into passages, searched by BM25 with Chinese segmentation."""
