// Addresses as objects, and lists of addresses that are blocked (lib/internal/socketaddress.js, lib/internal/blocklist.js).
//
// Every address is a number of 128 bits; one of IPv4 is what IPv6 maps it to, so that both are compared with each other.
'use strict';

const { makeNodeError } = require('internal/errors');
const { inspectAs } = require('internal/event_target');
const { inspect } = require('internal/inspect');
const { isIP, isIPv4, validatePort } = require('internal/net_address');
const { atLeast, has, removeAbsent } = require('internal/version');
const { invalidArgType, validateInteger, validateObject, validateString } = require('internal/validate');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kMapped = 0xffffn << 32n;
const kLargest = 2 ** 32 - 1;

function invalidValue(name, value, reason = 'is invalid') {
  return makeNodeError(TypeError, 'ERR_INVALID_ARG_VALUE',
                       `The ${name.includes('.') ? 'property' : 'argument'} '${name}' ${reason}. Received ${inspect(value)}`);
}

// ---- addresses as numbers -------------------------------------------------------------------------------------------------

function ofIPv4(text) { return text.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), 0n); }

function groupsOf(text) {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [BigInt(`0x${group}`)];
    const number = ofIPv4(group);
    return [number >> 16n, number & 0xffffn];
  });
}

function numberOf(text) {
  if (isIPv4(text)) return kMapped | ofIPv4(text);
  const [head, tail] = text.split('%')[0].split('::');
  const first = groupsOf(head);
  const last = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array(8 - first.length - last.length).fill(0n);
  return [...first, ...zeros, ...last].reduce((sum, group) => (sum << 16n) | group, 0n);
}

// As inet_ntop() writes it: the longest run of zeros is left out.
function textOfIPv6(number) {
  if (number >> 32n === 0xffffn) {
    return `::ffff:${[24n, 16n, 8n, 0n].map((shift) => (number >> shift) & 255n).join('.')}`;
  }
  const groups = Array.from({ length: 8 }, (_, i) => ((number >> BigInt(16 * (7 - i))) & 0xffffn).toString(16));
  let best = { at: -1, length: 1 };
  for (let at = 0; at < 8;) {
    let end = at;
    while (end < 8 && groups[end] === '0') end++;
    if (end - at > best.length) best = { at, length: end - at };
    at = Math.max(end, at + 1);
  }
  if (best.at < 0) return groups.join(':');
  return `${groups.slice(0, best.at).join(':')}::${groups.slice(best.at + best.length).join(':')}`;
}

function familyOf(family, name = 'options.family') {
  const known = typeof family === 'string' ? family.toLowerCase() : family;
  if (known !== 'ipv4' && known !== 'ipv6') throw invalidValue(name, family);
  return known;
}

class SocketAddress {
  #address;
  #port;
  #family;
  #flowlabel;

  static isSocketAddress(value) { return typeof value === 'object' && value !== null && #port in value; }

  static parse(input) {
    validateString(input, 'input');
    try {
      const { hostname, port } = new (require('url').URL)(`http://${input}`);
      const address = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
      if (!isIP(address)) return undefined;
      return new SocketAddress({ address, port: Number(port), family: isIPv4(address) ? 'ipv4' : 'ipv6' });
    } catch {
      return undefined;
    }
  }

  constructor(options = {}) {
    validateObject(options, 'options');
    const family = familyOf(options.family ?? 'ipv4');
    const { address = family === 'ipv4' ? '127.0.0.1' : '::', port = 0, flowlabel = 0 } = options;
    validateString(address, 'options.address');
    validatePort(port, 'options.port');
    validateInteger(flowlabel, 'options.flowlabel', 0, kLargest);
    if (isIP(address) !== (family === 'ipv4' ? 4 : 6)) throw makeNodeError(Error, 'ERR_INVALID_ADDRESS', 'Invalid socket address');
    this.#address = family === 'ipv4' ? address : textOfIPv6(numberOf(address));
    this.#port = Number(port);
    this.#family = family;
    this.#flowlabel = family === 'ipv6' ? flowlabel : 0;
  }

  get address() { return this.#address; }
  get port() { return this.#port; }
  get family() { return this.#family; }
  get flowlabel() { return this.#flowlabel; }
  toJSON() { return { address: this.#address, port: this.#port, family: this.#family, flowlabel: this.#flowlabel }; }
  [kInspect](depth, options) { return depth < 0 ? '[SocketAddress]' : inspectAs('SocketAddress', this.toJSON(), depth, options); }
}

// ---- lists of them --------------------------------------------------------------------------------------------------------

function labelOf(family) { return family === 'ipv4' ? 'IPv4' : 'IPv6'; }

function addressOf(value, family, name) {
  if (SocketAddress.isSocketAddress(value)) return value;
  validateString(value, name);
  validateString(family, 'family');
  return new SocketAddress({ address: value, family });
}

// A rule: its text, and the numbers that it has, from the first to the last.
function addressRule(value, family) {
  const { address, family: own } = addressOf(value, family, 'address');
  const number = numberOf(address);
  return { kind: 'Address', text: `Address: ${labelOf(own)} ${address}`, first: number, last: number };
}

function rangeRule(start, end, family) {
  const from = addressOf(start, family, 'start');
  const to = addressOf(end, family, 'end');
  const [first, last] = [numberOf(from.address), numberOf(to.address)];
  if (first > last) throw invalidValue('start', from, 'must come before end');
  return { kind: 'Range', text: `Range: ${labelOf(from.family)} ${from.address}-${to.address}`, first, last };
}

function subnetRule(network, prefix, family) {
  const { address, family: own } = addressOf(network, family, 'network');
  const most = own === 'ipv4' ? 32 : 128;
  if (typeof prefix !== 'number') throw invalidArgType('prefix', 'number', prefix);
  validateInteger(prefix, 'prefix', 0, most);
  const rest = BigInt(most - prefix);
  const first = (numberOf(address) >> rest) << rest;
  return { kind: 'Subnet', text: `Subnet: ${labelOf(own)} ${address}/${prefix}`, first, last: first | ((1n << rest) - 1n) };
}

function cidrRule(cidr) {
  validateString(cidr, 'cidr');
  const slash = cidr.indexOf('/');
  if (slash < 0) throw invalidValue('cidr', cidr, 'must contain a prefix length (e.g. "10.0.0.0/8")');
  const network = cidr.slice(0, slash);
  return subnetRule(network, Number(cidr.slice(slash + 1)), isIP(network) === 6 ? 'ipv6' : 'ipv4');
}

// A line of `rules`, or undefined.
function ruleOfLine(line) {
  const [, kind, label, rest] = /^(Address|Range|Subnet): (IPv4|IPv6) (.*)$/.exec(line) ?? [];
  const family = label?.toLowerCase();
  try {
    if (kind === 'Address') return addressRule(rest, family);
    if (kind === 'Range') return rangeRule(...rest.split('-'), family);
    if (kind === 'Subnet') return subnetRule(rest.split('/')[0], Number(rest.split('/')[1]), family);
  } catch {
    // What is no rule is left out.
  }
  return undefined;
}

const kOrder = ['Address', 'Subnet', 'Range'];

class BlockList {
  #rules = [];  // the newest first

  static isBlockList(value) { return typeof value === 'object' && value !== null && #rules in value; }

  #add(rule) {
    if (atLeast(24) && rule.kind === 'Address' && this.#rules.some((one) => one.kind === 'Address' && one.text === rule.text)) return;
    this.#rules.unshift(rule);
  }
  #remove({ text }) {
    const at = this.#rules.findIndex((rule) => rule.text === text);
    if (at >= 0) this.#rules.splice(at, 1);
  }

  addAddress(address, family = 'ipv4') { this.#add(addressRule(address, family)); }
  addAddresses(addresses, family = 'ipv4') {
    if (!Array.isArray(addresses)) throw invalidArgType('addresses', 'Array', addresses);
    for (const rule of addresses.map((address) => addressRule(address, family))) this.#add(rule);
  }
  addRange(start, end, family = 'ipv4') { this.#add(rangeRule(start, end, family)); }
  addSubnet(network, prefix, family = 'ipv4') { this.#add(subnetRule(network, prefix, family)); }
  addCIDR(cidr) { this.#add(cidrRule(cidr)); }
  addCIDRs(cidrs) {
    if (!Array.isArray(cidrs)) throw invalidArgType('cidrs', 'Array', cidrs);
    for (const rule of cidrs.map(cidrRule)) this.#add(rule);
  }
  removeAddress(address, family = 'ipv4') { this.#remove(addressRule(address, family)); }
  removeRange(start, end, family = 'ipv4') { this.#remove(rangeRule(start, end, family)); }
  removeSubnet(network, prefix, family = 'ipv4') { this.#remove(subnetRule(network, prefix, family)); }
  removeCIDR(cidr) { this.#remove(cidrRule(cidr)); }

  check(address, family = 'ipv4') {
    if (!SocketAddress.isSocketAddress(address)) {
      validateString(address, 'address');
      validateString(family, 'family');
      if (isIP(address) === 0 || labelOf(familyOf(family)) !== (isIPv4(address) ? 'IPv4' : 'IPv6')) return false;
    }
    const number = numberOf(typeof address === 'string' ? address : address.address);
    return this.#rules.some(({ first, last }) => first <= number && number <= last);
  }

  clear() { this.#rules = []; }
  toJSON() { return this.rules; }
  fromJSON(data) {
    const list = typeof data === 'string' ? JSON.parse(data) : data;
    if (!Array.isArray(list) || list.some((line) => typeof line !== 'string')) {
      throw invalidArgType('data', ['string', 'string[]'], list);
    }
    for (const line of list) {
      const rule = ruleOfLine(line);
      if (rule !== undefined) this.#add(rule);
    }
  }

  get rules() {
    const sorted = atLeast(24) ? kOrder.flatMap((kind) => this.#rules.filter((rule) => rule.kind === kind)) : this.#rules;
    return sorted.map((rule) => rule.text);
  }
  get size() { return this.#rules.length; }
  [kInspect](depth, options) { return depth < 0 ? '[BlockList]' : inspectAs('BlockList', { rules: this.rules }, depth, options); }
}
BlockList.PRIVATE_RANGES = Object.freeze([
  '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '127.0.0.0/8', '::1/128', '169.254.0.0/16', 'fe80::/10', 'fc00::/7',
]);

// options.blockList, where the version looks at it.
function blockListOf(options) {
  const { blockList } = options;
  if (!blockList || !has('23.4 22.13')) return undefined;
  if (!BlockList.isBlockList(blockList)) throw invalidArgType('options.blockList', 'net.BlockList', blockList);
  return blockList;
}

function blockedError(address) {
  return makeNodeError(Error, 'ERR_IP_BLOCKED', `IP(${address}) is blocked by net.BlockList`);
}

function isBlocked(blockList, address) {
  return blockList !== undefined && blockList.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

// What the version has not, of the two and of `net`, which has them.
function restrictBlockList(net) {
  const own = (...names) => names.map((name) => [BlockList.prototype, name, '24']);
  removeAbsent([
    [net, 'BlockList', '15 14.18'],
    [net, 'SocketAddress', '15.14 14.18'],
    [SocketAddress, 'parse', '23.4 22.13'],
    [BlockList, 'isBlockList', '23.4 22.13'],
    [BlockList, 'PRIVATE_RANGES', '24'],
    [BlockList.prototype, 'toJSON', '24.5 22.19'],
    [BlockList.prototype, 'fromJSON', '24.5 22.19'],
    ...own('addAddresses', 'addCIDR', 'addCIDRs', 'removeAddress', 'removeRange', 'removeSubnet', 'removeCIDR', 'clear', 'size'),
  ]);
}

module.exports = { BlockList, SocketAddress, blockListOf, blockedError, isBlocked, restrictBlockList };
