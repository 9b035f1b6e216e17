import './leaf.mjs';
