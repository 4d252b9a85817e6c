"""Settings from the environment (`SUPERBIZ_*`, DESIGN: Commands). No secret is kept here."""

from pathlib import Path

from pydantic import ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from superbiz.graph.domain.plan import Language
from superbiz.graph.errors import SettingsError


class Settings(BaseSettings):
    """What a run uses when no option says otherwise."""

    model_config = SettingsConfigDict(env_prefix="SUPERBIZ_", env_ignore_empty=True, extra="ignore", frozen=True)
    # An empty variable is an unset one: as a path it would be the working directory.

    home: Path = Path("~/.superbiz")
    """Data directory; the default store lives in it."""
    database_url: str | None = None
    """`sqlite:///path`, `postgresql://…` or `memory:`."""
    evidence: Path | None = None
    """Evidence directory used when `--evidence` is not given."""
    model: str | None = None
    lang: Language = Language.ZH

    @property
    def store_url(self) -> str:
        """Where sessions are kept: the database named, else a file in the data directory."""
        if self.database_url:
            return self.database_url
        return f"sqlite:///{self.home.expanduser().absolute() / 'superbiz.db'}"


def load_settings() -> Settings:
    """The settings of this process. Raises SettingsError naming the variable that is wrong."""
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        name = "_".join(str(part) for part in first["loc"]).upper()
        raise SettingsError("environment variable SUPERBIZ_{name}: {why}", name=name, why=first["msg"]) from error
