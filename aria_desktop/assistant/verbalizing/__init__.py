"""Numbers, units, times, dates and money as words, so that a voice reads them right."""
