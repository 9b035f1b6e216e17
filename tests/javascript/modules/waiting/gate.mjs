export const gate = {};
gate.opened = new Promise((open, refuse) => Object.assign(gate, { open, refuse }));
