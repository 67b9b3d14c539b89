'''Tides.'''
__version__: str = u'2.5.0' # kept
