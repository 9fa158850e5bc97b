// Written by scripts/icons.
const SHAPES = {};
