"""Export of scenes: a module for each family of formats, a registry by file suffix, and an off-screen renderer.

The command line and scripts call ``registry.export``. Nothing here opens a window.

`formats` maps suffixes to formats, each with a module that has ``write(request)``. Frames come from `rendering` as
views of one buffer; a thread feeds them to ffmpeg, so that rendering and encoding overlap. A frame depends on its
time alone, so chunks are drawn in any order: `encoding` draws and encodes chunks of 240 frames, here, by processes or
by a feature. A still picture is a film of one frame. A file appears whole or not at all.

`scene_graph` samples models and pages: adaptive halving over the whole scene, then each track is thinned by itself.
`Visual.nodes` gives the items of a picture. `remarks` states what a format cannot hold, and how exact a file is.
"""
