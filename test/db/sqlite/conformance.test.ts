import { conformanceOf } from '../conformance/conformance.ts'
import { sqlite } from '../engines.ts'

conformanceOf(sqlite())
