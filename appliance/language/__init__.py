"""The words of consoles and their documentation, in English and Chinese, by meaning."""
