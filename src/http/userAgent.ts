/** A product by what its header contains. */
type Known = readonly [name: string, sign: RegExp]

/** The first one that fits: most browsers also name those that they are made from, and Safari. */
const browsers: readonly Known[] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\b(OPR|OPT|OPiOS|Opera)\//],
  ['Vivaldi', /\bVivaldi\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /(\bChrome|\bCriOS|HeadlessChrome)\//],
  ['Safari', /\bVersion\/[\d.]+ .*\bSafari\//],
]

/** The first one that fits: Android is also a Linux, and an iPhone writes `like Mac OS X`. */
const systems: readonly Known[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac(intosh| OS X)\b/],
  ['Linux', /\bLinux\b/],
]

/** Longer than that of any browser. The rest of a header is not read. */
const userAgentLengthMax = 512

/**
 * The browser and its system in words: `Firefox on Linux`. It is made of known names alone, so that nothing that a
 * stranger writes into the header is kept or shown.
 * @param userAgent the header (RFC 9110, 10.1.5); anybody can write anything there
 * @returns null when it names nothing known
 */
export function deviceOf(userAgent: string | null): string | null {
  const text = (userAgent ?? '').slice(0, userAgentLengthMax)
  const names = [browsers, systems].flatMap(known => known.find(([, sign]) => sign.test(text))?.[0] ?? [])
  return names.length === 0 ? null : names.join(' on ')
}
