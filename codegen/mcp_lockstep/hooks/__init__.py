"""Build hooks: what is out of step is told, or refused, where an artefact is made; server.json goes into it.

One module per backend (`hatch`, `setuptools`, `pdm`) and `backend`, which stands in front of any other. They judge
and render; they generate nothing, run nothing of the user's, and write nothing into the project.
"""
