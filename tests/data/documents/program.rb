def f(x):
	return x  # tab stays, trailing blanks stay  


