// Colours: nationality as printed on the counters (Burma 1.12), and the page's own for terrain, lines and states.
export const NATIONS = {
  japanese: ['#ecd9ad', '#2a1d0a', 'Japanese', 'J'], ina: ['#a3a39f', '#111', 'Indian National Army', 'INA'],
  british: ['#b07a4e', '#1b0d02', 'British', 'BR'], indian: ['#66422a', '#fff6e8', 'Indian', 'IN'],
  chinese: ['#7db75a', '#0d1f05', 'Chinese', 'CH'], nepalese: ['#b3d3ea', '#0a1c2b', 'Nepalese', 'NE'],
  west_african: ['#dcdcd8', '#1a1a1a', 'West African', 'WA'], burmese: ['#3e7d49', '#f4fff4', 'Burmese', 'BU'],
  us: ['#6d6a36', '#fffde6', 'US Army', 'US'], raf: ['#d8a531', '#201500', 'RAF', 'RAF'], usaaf: ['#8a8a4a', '#10100a', 'USAAF', 'AAF'] };
export const nation = key => NATIONS[key] || ['#cccccc', '#111', key, '?'];

export const SIDES = { japanese: { rim: '#8e1b1b', light: '#ff9d94', name: 'Japanese' }, allied: { rim: '#173a6b', light: '#9cc2ff', name: 'Allied' } };
export const side = key => SIDES[key] || { rim: '#444', light: '#bbb', name: key };

const LIGHT = {
  terrain: { clear: '#f6edc6', jungle: '#7fb069', rough: '#cfb27a', mountain: '#a98c72', lake: '#86b8de', off: '#b9b9b9' },
  ink: '#1d1a14', halo: 'rgba(255,253,244,.9)', grid: 'rgba(50,40,20,.26)', water: '#2f74b5', paper: '#f4efe0',
  rail: '#1b1b1b', road: '#b0322a', roadFill: '#ffd9a8', fair: '#b0561a', track: '#5d4427', border: '#7a3f8f',
  select: '#111', selectHalo: '#ffe14a', reach: '#2a6fdb', tint: .50 };
const DARK = {
  terrain: { clear: '#5d5a45', jungle: '#2c4a30', rough: '#574a35', mountain: '#463c38', lake: '#1f4a73', off: '#26282b' },
  ink: '#f1ece0', halo: 'rgba(15,17,20,.9)', grid: 'rgba(235,230,215,.20)', water: '#5ba4e6', paper: '#23262b',
  rail: '#e6e6e6', road: '#ff8f78', roadFill: '#5a2a20', fair: '#f0a25c', track: '#cdb48c', border: '#c89be0',
  select: '#fff', selectHalo: '#b48a00', reach: '#7db4ff', tint: .62 };
export const palette = dark => dark ? DARK : LIGHT;

// A status has a colour and a shape of its own: no meaning by colour alone.
export const SUPPLY = {
  in: { colour: '#1c7c3a', name: 'traces supply', shape: 'disc', what: 'a path leads to a source within the allowed distances' },
  eats: { colour: '#c77700', name: 'eats', shape: 'half', what: 'no path, but a dump within reach feeds it and is used up' },
  out: { colour: '#c01818', name: 'out of supply', shape: 'cross', what: 'neither path nor dump: it weakens' },
  hq: { colour: '#245a9c', name: 'headquarters on a line', shape: 'ring' },
  none: { colour: '#666', name: 'needs no supply', shape: 'dash' } };

export const LEGS = {
  draw: { dash: [], width: 3, name: 'draw: by the unit or its HQ' },
  throw: { dash: [9, 5], width: 3, name: 'throw: an HQ reaching out' },
  extender: { dash: [14, 4, 3, 4], width: 3.5, name: 'extender' },
  rail: { dash: [1, 6], width: 5, name: 'railway' },
  roads: { dash: [3, 5], width: 4, name: 'contiguous roads' },
  ledo: { dash: [3, 5, 9, 5], width: 4, name: 'Ledo Road' },
  river: { dash: [10, 4, 2, 4, 2, 4], width: 3, name: 'river' },
  miss: { dash: [], width: 3.5, name: 'how far a failed trace came' },
  missing: { dash: [2, 7], width: 2.5, name: 'what it lacks' } };
export const leg = kind => LEGS[kind] || LEGS.draw;

// How a hex differs from the same hex of another state: pale and dark ink, the sign, and what it means.
export const DIFFERENCES = {
  fresh: { colour: '#1b5e20', pale: '#8fd19e', sign: '+', name: 'stands only on the right map, or only here' },
  gone: { colour: '#b71c1c', pale: '#ff8a80', sign: '−', name: 'stands only on the left map, or only in the state compared with' },
  moved: { colour: '#5b1fa8', pale: '#d3b3ff', sign: '→', name: 'some came, some left' },
  other: { colour: '#8a5a00', pale: '#ffd54a', sign: '≠', name: 'the same units, otherwise; far out: several kinds' } };
