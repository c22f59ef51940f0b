"""What can be said of To Court the King for study."""
