"""Scene files: reading, validating, migrating and writing them, comments included.

Files are not trusted: `yaml_reading` counts keys and values and stops at its limits. Only `plain_scalars` defines the
meaning of scalars without quotes. The loader records the line of each key path.

Saving keeps comments and layout. `ruamel_round_trip` attaches each comment to the key below it. `incremental_text`
passes only changed items to the YAML library (0.1 s instead of 2 s for 1,000 frames), and reads the shortened text
again as a check.
"""
