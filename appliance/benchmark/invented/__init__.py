"""False sentences written into copies of the bundled documentation, and what is shown of them."""
