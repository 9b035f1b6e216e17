import { gate } from './gate.mjs';
await gate.opened;
