import './loop-a.mjs';
