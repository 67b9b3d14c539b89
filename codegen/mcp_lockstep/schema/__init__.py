"""Schemas made plain: vetted, bundled, normalised pass by pass, audited."""
