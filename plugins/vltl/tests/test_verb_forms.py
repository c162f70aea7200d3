from cases import each
from harness_vltl.scenarios import verb_forms

# Verb, "-ing", third person; all written by hand.
VERBS = """
abandon abandoning abandons|abort aborting aborts|absorb absorbing absorbs|accept accepting accepts
access accessing accesses|acquire acquiring acquires|acquit acquitting acquits|act acting acts
activate activating activates|adapt adapting adapts|add adding adds|adjust adjusting adjusts
admit admitting admits|advance advancing advances|advise advising advises|age aging ages
agree agreeing agrees|aid aiding aids|aim aiming aims|alert alerting alerts|allot allotting allots
allow allowing allows|analyse analysing analyses|announce announcing announces|answer answering answers
apply applying applies|approach approaching approaches|argue arguing argues|arm arming arms
arrive arriving arrives|ask asking asks|assist assisting assists|attach attaching attaches
avoid avoiding avoids|await awaiting awaits|bag bagging bags|ban banning bans|bar barring bars
be being is|beat beating beats|beg begging begs|begin beginning begins|bet betting bets
bind binding binds|block blocking blocks|blow blowing blows|boil boiling boils|book booking books
bow bowing bows|box boxing boxes|brake braking brakes|break breaking breaks|bring bringing brings
brush brushing brushes|build building builds|bury burying buries|buy buying buys|buzz buzzing buzzes
call calling calls|calm calming calms|cancel canceling cancels|carry carrying carries
catch catching catches|chain chaining chains|change changing changes|charge charging charges
chat chatting chats|check checking checks|chop chopping chops|clap clapping claps|clean cleaning cleans
clear clearing clears|climb climbing climbs|clip clipping clips|close closing closes
collect collecting collects|commit committing commits|compel compelling compels|confer conferring confers
control controlling controls|cook cooking cooks|copy copying copies|count counting counts
cover covering covers|crash crashing crashes|cross crossing crosses|cry crying cries|cut cutting cuts
defer deferring defers|delay delaying delays|deliver delivering delivers|deny denying denies
deploy deploying deploys|deposit depositing deposits|detect detecting detects|deter deterring deters
dial dialing dials|die dying dies|dig digging digs|dim dimming dims|dip dipping dips|direct directing directs
discover discovering discovers|dispatch dispatching dispatches|do doing does|dodge dodging dodges
double-check double-checking double-checks|drag dragging drags|draw drawing draws|drive driving drives
drop dropping drops|dry drying dries|dye dyeing dyes|ease easing eases|eat eating eats
echo echoing echoes|edit editing edits|eject ejecting ejects|emit emitting emits|empty emptying empties
enter entering enters|equip equipping equips|escape escaping escapes|escort escorting escorts
evacuate evacuating evacuates|exit exiting exits|expel expelling expels|explore exploring explores
eye eyeing eyes|face facing faces|fasten fastening fastens|fax faxing faxes|feed feeding feeds
fetch fetching fetches|fill filling fills|find finding finds|finish finishing finishes|fit fitting fits
fix fixing fixes|flag flagging flags|flash flashing flashes|flee fleeing flees|flip flipping flips
fly flying flies|focus focusing focuses|fold folding folds|follow following follows|forbid forbidding forbids
forget forgetting forgets|format formatting formats|free freeing frees|fuel fueling fuels
gas gassing gasses|gather gathering gathers|get getting gets|give giving gives|go going goes
grab grabbing grabs|grant granting grants|greet greeting greets|grip gripping grips|guard guarding guards
guide guiding guides|halt halting halts|hand handing hands|handicap handicapping handicaps
have having has|haul hauling hauls|help helping helps|hit hitting hits|hoe hoeing hoes|hold holding holds
hop hopping hops|hug hugging hugs|hum humming hums|hurry hurrying hurries|identify identifying identifies
illuminate illuminating illuminates|incur incurring incurs|infer inferring infers|inform informing informs
input inputting inputs|inspect inspecting inspects|jam jamming jams|jog jogging jogs|join joining joins
jump jumping jumps|keep keeping keeps|kick kicking kicks|kidnap kidnapping kidnaps|kneel kneeling kneels
knit knitting knits|know knowing knows|label labeling labels|lay laying lays|lead leading leads
leave leaving leaves|let letting lets|lie lying lies|lift lifting lifts|limit limiting limits
load loading loads|locate locating locates|lock locking locks|log logging logs|look looking looks
lower lowering lowers|map mapping maps|mark marking marks|measure measuring measures|meet meeting meets
mimic mimicking mimics|mix mixing mixes|monitor monitoring monitors|mop mopping mops|move moving moves
need needing needs|nod nodding nods|notice noticing notices|notify notifying notifies
observe observing observes|obtain obtaining obtains|occur occurring occurs|offer offering offers
offset offsetting offsets|omit omitting omits|open opening opens|order ordering orders
outfit outfitting outfits|overlap overlapping overlaps|overtake overtaking overtakes|own owning owns
pack packing packs|pad padding pads|panic panicking panics|park parking parks|pass passing passes
pat patting pats|patrol patrolling patrols|pause pausing pauses|pay paying pays|permit permitting permits
photograph photographing photographs|pick picking picks|picnic picnicking picnics|pin pinning pins
place placing places|plan planning plans|play playing plays|plug plugging plugs|pop popping pops
pour pouring pours|prefer preferring prefers|prepare preparing prepares|press pressing presses
proceed proceeding proceeds|prop propping props|propel propelling propels|pull pulling pulls
push pushing pushes|put putting puts|quit quitting quits|quiz quizzing quizzes|race racing races
radio radioing radios|raise raising raises|reach reaching reaches|record recording records
recur recurring recurs|redo redoing redoes|refer referring refers|refuel refueling refuels
regret regretting regrets|relay relaying relays|remit remitting remits|render rendering renders
repair repairing repairs|repel repelling repels|reply replying replies|report reporting reports
rescan rescanning rescans|rescue rescuing rescues|reset resetting resets|retreat retreating retreats
retrieve retrieving retrieves|return returning returns|reveal revealing reveals|rid ridding rids
rob robbing robs|rotate rotating rotates|rub rubbing rubs|run running runs|rush rushing rushes
save saving saves|say saying says|scan scanning scans|search searching searches|see seeing sees
seize seizing seizes|send sending sends|set setting sets|ship shipping ships|shop shopping shops
show showing shows|shut shutting shuts|signal signaling signals|singe singeing singes|sip sipping sips
sit sitting sits|ski skiing skis|skip skipping skips|slam slamming slams|slip slipping slips
slow slowing slows|snap snapping snaps|snow snowing snows|solo soloing solos|spin spinning spins
split splitting splits|spot spotting spots|spray spraying sprays|spread spreading spreads
squat squatting squats|stack stacking stacks|star starring stars|stay staying stays|steer steering steers
step stepping steps|stir stirring stirs|stop stopping stops|store storing stores|strap strapping straps
stretch stretching stretches|study studying studies|submit submitting submits|suffer suffering suffers
sweep sweeping sweeps|swim swimming swims|swap swapping swaps|sync syncing syncs|tag tagging tags
take taking takes|tap tapping taps|tax taxing taxes|tie tying ties|tip tipping tips|toe toeing toes
touch touching touches|tow towing tows|transfer transferring transfers|transmit transmitting transmits
transport transporting transports|trap trapping traps|travel traveling travels|trim trimming trims
try trying tries|tug tugging tugs|turn turning turns|unclip unclipping unclips|undergo undergoing undergoes
unload unloading unloads|unplug unplugging unplugs|unpin unpinning unpins|untie untying unties
use using uses|veto vetoing vetoes|vie vying vies|visit visiting visits|wait waiting waits
walk walking walks|warn warning warns|wash washing washes|watch watching watches|wave waving waves
wed wedding weds|weigh weighing weighs|whiz whizzing whizzes|win winning wins|worry worrying worries
wrap wrapping wraps|yield yielding yields|zigzag zigzagging zigzags|zip zipping zips|zoom zooming zooms
"""
CASES = [tuple(case.split()) for case in VERBS.strip().replace("\n", "|").split("|")]


def test_the_list_is_long_and_names_each_verb_once():
    assert len({verb for verb, _, _ in CASES}) == len(CASES) >= 250


def test_gerunds():
    wrong = {
        verb: verb_forms.gerund(verb) for verb, ing, _ in CASES if verb_forms.gerund(verb) != ing
    }
    assert not wrong


def test_third_persons():
    wrong = {verb: verb_forms.third(verb) for verb, _, s in CASES if verb_forms.third(verb) != s}
    assert not wrong


@each("verb", ["a", "x", "o", "up", "qu", "y", "e", "ing"])
def test_odd_words_have_some_form(verb):
    assert verb_forms.gerund(verb).endswith("ing")
    assert verb_forms.third(verb).endswith("s")
