"""What is kept between runs: settings, recent files, autosaves, logs, and folders for them."""
