"""Storage between runs: settings, recent files, logs, start marks, and folders for them."""
