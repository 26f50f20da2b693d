"""Film encoding: ffmpeg, chunks of a film, and the processes and clusters that encode them."""
