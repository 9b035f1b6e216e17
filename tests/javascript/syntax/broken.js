// since 6. What required.js cannot read, and nobody.
const words = ['设为', 'now' 'later'];
