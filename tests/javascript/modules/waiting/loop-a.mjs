import './loop-b.mjs';
import './right.mjs';
