"""Films drawn and written: cameras, looks of items, texts and insets over the picture, kept parts."""
