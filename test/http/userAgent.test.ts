import { expect, test } from 'bun:test'
import { deviceOf } from '../../src/http/userAgent.ts'

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const mobile = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'

test.each<[userAgent: string | null, device: string | null]>([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
  [`${windows} ${webkit} Chrome/142.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [`${windows} ${webkit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`, 'Edge on Windows'],
  [`${windows} ${webkit} Chrome/142.0.0.0 Safari/537.36 OPR/124.0.0.0`, 'Opera on Windows'],
  [`${mac} ${webkit} Chrome/142.0.0.0 Safari/537.36 Vivaldi/7.6`, 'Vivaldi on macOS'],
  [`${mac} ${mobile} Version/26.1 Safari/605.1.15`, 'Safari on macOS'],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/142.0.0.0 Safari/537.36`, 'Chrome on ChromeOS'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/142.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) ${mobile} Version/26.1 Mobile/15E148 Safari/604.1`,
    'Safari on iPhone',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) ${mobile} FxiOS/145.0 Mobile/15E148 Safari/605.1.15`,
    'Firefox on iPhone',
  ],
  [`Mozilla/5.0 (iPad; CPU OS 26_1 like Mac OS X) ${mobile} CriOS/142.0 Mobile/15E148 Safari/604.1`, 'Chrome on iPad'],
  [`Mozilla/5.0 (Linux; Android 16; K) ${webkit} Chrome/142.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  [
    `Mozilla/5.0 (Linux; Android 16; K) ${webkit} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
  ],
  [`${windows} SomethingNew/1.0`, 'Windows'],
  ['Firefox/145.0', 'Firefox'],
  ['curl/8.5.0', null],
  ['<script>alert(1)</script>', null],
  [`${'x'.repeat(512)} Firefox/145.0`, null],
  ['', null],
  [null, null],
])('%p is %p', (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device)
})
