import { byteSize, whole } from '../components/numbers.ts'
import { localDate, localTime } from '../components/times.ts'
import { findings } from './en/findings.ts'
import { translator } from './translator.ts'

const translate = translator(findings)

/** Sizes, spans and times, which the gateway writes in English and in UTC, as the reader's language has them. */
const local = (text: string): string =>
  text
    .replace(/(\d[\d,]*) MB\b/g, (_, count: string) => byteSize(Number(count.replaceAll(',', '')) * 2 ** 20))
    .replace(/\d+\.\d(?= ms\b)/g, count => whole(Number(count)))
    .replace(/(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)/g, (_, day, time) => localTime(new Date(`${day}T${time}Z`)))
    .replace(/\b\d{4}-\d\d-\d\d\b/g, day => localDate(new Date(`${day}T00:00`)))
    .replaceAll(' (UTC)', '')

/** @returns what the gateway finds of itself, or what a setting is for, in the language of the page, line by line */
export const found = (text: string): string =>
  text
    .split('\n')
    .map(line => local(translate(line) ?? line))
    .join('\n')
