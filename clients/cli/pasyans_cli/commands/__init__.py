"""The commands, by subject; `main` loads a module when one of its commands is run."""
