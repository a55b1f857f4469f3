"""What `scripts/properties.py` measures, one measurement a file; `sequential.py` and `threaded.py` make the random programs."""
