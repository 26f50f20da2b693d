"""Causes of disagreement between measurements and a scene, and fixes of them."""
