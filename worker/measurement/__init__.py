"""Figures of labelled and unlabelled decisions. Pure: arrays in, figures with their uncertainty out."""
