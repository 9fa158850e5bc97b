"""What a page looks like to a careful reader: elements, texts, folds, and their compact text."""
