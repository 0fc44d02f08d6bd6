import { setDefaultTimeout } from 'bun:test'
import { hungAfterMs } from '../../timeLimit.ts'
import { conformanceOf } from '../conformance/conformance.ts'
import { sqlite } from '../engines.ts'

setDefaultTimeout(hungAfterMs)

conformanceOf(sqlite())
