import '../../workers/sender.ts'
import { takePoison } from './mortal.ts'

takePoison()
