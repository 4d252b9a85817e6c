"""Every error that SuperBiz raises on purpose.

SuperBizError
├── InputError            bad input of a person: exit 2
│   ├── EvidenceError     the evidence directory cannot be used as a whole
│   ├── QuestionError     empty or too long
│   ├── SettingsError     a setting is wrong or missing
│   └── NotFoundError     no such session, turn
├── ToolError             one call failed: becomes a row and a gap, never the end of a turn
│   └── ToolArgumentError the arguments are not what the tool takes
├── StoreError            the store cannot be opened, is of another version, or refused a write
│   └── StoreBusyError    someone else holds it; trying again may help
├── InternalError         a fault of ours that nobody foresaw
└── TemplateError         a prompt or phrase was rendered with missing or unused variables

A message names the thing, says what was expected and what to do.
"""


class SuperBizError(Exception):
    """Root of the tree.

    Raised with an English template and its values; whoever shows it to a person looks the template up in that
    person's language (`prompts/errors_zh.toml`), as gettext does.
    """

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template.format(**values) if values else template)
        self.template = template
        self.values = values


class InputError(SuperBizError):
    """Bad input of a person; nothing was done. Exit code 2."""


class EvidenceError(InputError):
    """The evidence directory cannot be used as a whole (no such directory, nothing in it)."""


class QuestionError(InputError):
    """The question is empty or too long."""


class SettingsError(InputError):
    """A setting, option or environment variable is wrong or missing."""


class NotFoundError(InputError):
    """There is no such session or turn."""


class ToolError(SuperBizError):
    """One call failed. `type` is the machine word that the row keeps."""

    def __init__(self, type: str, message: str) -> None:
        super().__init__(message)
        self.type = type


class ToolArgumentError(ToolError):
    """The arguments are not what the tool takes."""

    def __init__(self, message: str) -> None:
        super().__init__("bad_arguments", message)


class StoreError(SuperBizError):
    """The store cannot be opened, is of another version, or refused a write."""


class StoreBusyError(StoreError):
    """Someone else holds the store or the session; trying again may help."""


class InternalError(SuperBizError):
    """A fault of ours that nobody foresaw, as a person is told of it."""


class TemplateError(SuperBizError):
    """A template was rendered with a missing or unused variable, or does not exist."""
