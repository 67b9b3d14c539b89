'''Tides.'''
__version__: str = u'2.4.0' # kept
