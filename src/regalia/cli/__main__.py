"""`python -m regalia.cli` is `regalia`."""

from regalia.cli import main

if __name__ == "__main__":
    main()
