"""Fitting a calibration to labelled answers, and telling how far it can be trusted."""
