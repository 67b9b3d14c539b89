"""What comes with the package: schemas with their catalogue, and one folder of templates for each target."""
