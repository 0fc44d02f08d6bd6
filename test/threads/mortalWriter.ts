import '../../workers/writer.ts'
import { takePoison } from './mortal.ts'

takePoison()
