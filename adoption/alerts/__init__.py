"""Problems that the operator has to know of: a log line when one begins and ends, and an email."""
