"""Episodes as training data: from a run or a suite to data sets that trainers read."""
