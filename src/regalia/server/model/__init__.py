"""What is true of a table and what may happen to it. Pure: nothing here waits, or knows of disk or network."""
