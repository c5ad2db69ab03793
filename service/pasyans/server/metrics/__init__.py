"""What is measured: the workers write figures into shared memory, their parent shows them at an address of its own."""
