"""The behaviour: what happens between words and deeds. Handed its engines, devices and storage."""
