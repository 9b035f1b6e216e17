import './left.mjs';
import './right.mjs';
