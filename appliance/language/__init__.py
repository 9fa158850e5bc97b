"""The words of consoles and their documentation, in English and Chinese, by what they mean."""
