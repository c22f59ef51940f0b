"""What can be said of The Rose King for study."""
