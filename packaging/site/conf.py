"""Sphinx's settings for the site of the documents; make_site.py runs it."""
project = "cufort"
author = "the cufort authors"
copyright = "the cufort authors; Apache License 2.0 with LLVM Exceptions"  # noqa: A001
extensions = ["myst_parser"]
root_doc = "README"
source_suffix = {".md": "markdown"}

# GitHub's anchors for headings of all levels.
myst_heading_anchors = 6
# Dollars are the shell's.
myst_enable_extensions = ["html_image"]
suppress_warnings = ["myst.header"]

highlight_language = "text"
html_theme = "furo"
html_title = "cufort"
html_static_path = ["static"]
html_css_files = ["cufort.css"]
html_additional_pages = {"index": "start.html"}
templates_path = ["templates"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = True
html_theme_options = {"sidebar_hide_name": False}
