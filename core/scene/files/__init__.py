"""Scene files: reading, validating, migrating and writing them, comments included.

A file comes from a stranger: `yaml_reading` counts what it reads and stops at its limits; `plain_scalars` alone
defines scalars without quotes. The loader keeps the line of each key path.

Saving keeps comments and layout. `ruamel_round_trip` moves each comment to the key below it, `incremental_text` hands
only changed items to the YAML library (0.1 s instead of 2 s for 1,000 frames), and a document is read again before it
is written.
"""
