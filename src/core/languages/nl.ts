/** The words of the page in Dutch. Pure data; what each is for: ../words.ts. */
import type { Words } from "../words";

const rejoin = "{rejoin}";

export const words: Words = {
  kinds: {
    joining: { heading: "We zoeken uw plaats", body: ["Dit duurt een paar seconden. Houd deze pagina open."] },
    "in-app": {
      heading: "Open deze pagina liever in uw eigen browser",
      body: [
        "U bent in de ingebouwde browser van een andere app. Als die app deze pagina sluit, kunt u uw plaats kwijtraken.",
        "Kopieer de link en open hem in de browser die u gewoonlijk gebruikt. Als u blijft, krijgt u hier uw plaats over {due}.",
      ],
    },
    "joining-unreachable": {
      heading: "De rij is nu niet bereikbaar",
      body: ["Niemand kan zich op dit moment aansluiten. Deze pagina blijft het proberen en geeft u zo snel mogelijk een plaats."],
    },
    "storage-full": {
      heading: "De rij kan niemand opnemen",
      body: ["Als u een plaats hebt, houdt u die. Kom later terug; ook deze pagina blijft het proberen."],
    },
    waiting: { heading: "U staat in de rij", body: [] },
    next: { heading: "U bent de volgende", body: ["U gaat naar binnen zodra er ruimte is. Blijf op deze pagina."] },
    nearly: { heading: "Bijna zover", body: ["Blijf op deze pagina en houd uw gegevens bij de hand."] },
    slow: { heading: "U staat in de rij", tab: "Trager dan verwacht", body: ["De rij gaat trager vooruit dan verwacht."] },
    "not-moving": { heading: "De rij staat stil", body: ["Op dit moment wordt niemand binnengelaten. U houdt uw plaats."] },
    restarted: { heading: "De wachtruimte is opnieuw gestart", body: ["De rij is opnieuw begonnen en u hebt er een nieuwe plaats in."] },
    unreachable: {
      heading: "De rij is nu niet bereikbaar",
      body: ["U houdt uw plaats. Deze pagina blijft het proberen; u hoeft niets te doen."],
    },
    paused: { heading: "De rij is gepauzeerd", body: ["Er wordt voorlopig niemand binnengelaten. U houdt uw plaats."] },
    called: {
      heading: "U bent aan de beurt",
      tab: "● Uw beurt",
      body: ["U kunt nu naar binnen.", "Uw beurt duurt nog {valid}. Daarna wordt de volgende opgeroepen."],
    },
    moment: {
      heading: "U bent aan de beurt",
      tab: "● U gaat naar binnen",
      body: ["De site gaat voor u open over {due}. Blijf op deze pagina."],
    },
    missed: {
      heading: "U was weg toen u aan de beurt was",
      tab: "U bent de volgende",
      body: ["U bent de volgende: u gaat naar binnen zodra er ruimte is. Blijf op deze pagina.", "Deze tweede kans duurt nog {valid}."],
    },
    "missed-others": {
      heading: "U was weg toen u aan de beurt was",
      tab: "U bent bijna aan de beurt",
      body: [
        "U hoort bij de volgenden, na anderen die ook zijn teruggekomen. Blijf op deze pagina.",
        "Deze tweede kans duurt nog {valid}.",
      ],
    },
    "welcome-back": {
      heading: "Welkom terug",
      body: ["U was een tijdje weg en er is nu geen plek vrij. U hoort bij de volgenden.", "Deze tweede kans duurt nog {valid}."],
    },
    inside: { heading: "U bent binnen", body: ["U bent binnengelaten. U kunt doorgaan naar de site."] },
    "room-off": { heading: "U kunt naar binnen", body: ["Er is geen rij meer. De site gaat voor u open over {due}."] },
    void: {
      heading: "U bent in een ander venster naar binnen gegaan",
      body: ["Uw bezoek gaat daar verder. Als u hier doorgaat, stopt het andere venster.", "U kunt hier {takeovers} doorgaan."],
    },
    "void-final": {
      heading: "U bent in een ander venster naar binnen gegaan",
      tab: "Uw bezoek gaat elders verder",
      body: ["Uw bezoek gaat daar verder. Het is te vaak van venster gewisseld om hier door te gaan.", rejoin],
    },
    left: { heading: "U hebt de rij verlaten", body: [`Uw plaats is naar de volgende gegaan. ${rejoin}`] },
    removed: { heading: "Uw plaats is beëindigd", body: [`De beheerders van deze site hebben uw plaats beëindigd. ${rejoin}`] },
    flushed: {
      heading: "De rij is leeggemaakt",
      body: ["De beheerders van deze site hebben alle plaatsen beëindigd. U kunt zich opnieuw aansluiten."],
    },
    "turn-over": { heading: "Uw beurt is voorbij", body: [`U bent opgeroepen, en de tijd om terug te komen is verstreken. ${rejoin}`] },
    "visit-over": { heading: "Uw bezoek is afgelopen", body: [`Dit bezoek is voorbij. ${rejoin}`] },
    "network-changed": {
      heading: "Bent u het nog?",
      body: ["Uw verbinding is een paar keer gewisseld. Uw plaats is bewaard: ga hier door, verder verandert er niets."],
    },
    "place-void": {
      heading: "Uw plaats is bezet",
      body: [`Deze site moest zijn sleutels vervangen, en een andere browser heeft deze plaats het eerst getoond. ${rejoin}`],
    },
    ended: { heading: "Uw plaats geldt niet meer", body: [`Deze plaats is niet meer in de rij. ${rejoin}`] },
    "sold-out": { heading: "Uitverkocht", body: ["Er wordt niemand meer binnengelaten. U hoeft niet langer te wachten."] },
    full: {
      heading: "De rij is vol",
      body: ["Er is nu geen ruimte voor meer mensen. Deze pagina blijft het proberen en geeft u een plaats zodra er een is."],
    },
    closed: {
      heading: "De rij neemt niemand meer op",
      body: ["Niemand kan zich op dit moment aansluiten. Wie in de rij staat, houdt zijn plaats. Deze pagina blijft het proberen."],
    },
    "network-limit": {
      heading: "Te veel mensen uit uw netwerk",
      body: [
        "Er hebben zich net veel mensen uit uw netwerk aangesloten. Scholen, kantoren en mobiele netwerken delen vaak één adres.",
        "Deze pagina blijft het proberen. Een ander netwerk, zoals mobiele data in plaats van wifi, gaat misschien sneller.",
      ],
    },
    "network-refused": {
      heading: "Vanuit dit netwerk kan niemand zich aansluiten",
      body: [
        "De beheerders van deze site laten niemand toe tot de rij vanuit het netwerk dat u gebruikt. Een ander netwerk kan helpen, zoals mobiele data.",
      ],
    },
    challenge: {
      heading: "Eerst een korte controle",
      body: [
        "Er komen nu veel nieuwe mensen bij. Voordat u een plaats krijgt, laat uw browser zien dat hij niet een van duizenden is die door een robot worden bestuurd.",
      ],
    },
    "cookies-needed": {
      heading: "Sta cookies toe",
      body: [
        "We bewaren uw plaats in een cookie. Zonder die cookie kunnen we niet weten wanneer u aan de beurt bent.",
        "Sta in de instellingen van uw browser cookies toe voor deze site en probeer het dan opnieuw.",
      ],
    },
    lobby: {
      heading: "U bent in de lobby",
      body: [
        "Het begint op {starts}.",
        "Op de plaats zelf is dat {startsThere}.",
        "U bent al meegeteld; u hoeft niets te doen.",
        "{entered}",
        "{random}",
        "{sealed}",
      ],
    },
    "lobby-line": {
      heading: "U staat in de rij, en het is nog niet begonnen",
      body: ["Het begint op {starts}.", "Op de plaats zelf is dat {startsThere}.", "U houdt uw plaats."],
    },
    delayed: {
      heading: "Het begint later dan gepland",
      body: [
        "Het was gepland op {planned}. Het begint nu op {starts}.",
        "Op de plaats zelf is dat {startsThere}.",
        "U bent al meegeteld; u hoeft niets te doen.",
        "{entered}",
        "{random}",
        "{sealed}",
      ],
    },
    drawing: { heading: "De plaatsen worden geloot…", body: ["{entered}", "Dit duurt een paar seconden. Houd deze pagina open."] },
    "awaiting-number": {
      heading: "Wachten op het openbare willekeurige getal",
      tab: "De plaatsen worden geloot…",
      body: [
        "{entered}",
        "De volgorde volgt uit een openbaar willekeurig getal dat nog niemand kent. Daar wachten we op.",
        "Meestal komt het binnen een halve minuut. Blijft het te lang weg, dan wordt er zonder geloot, en het verslag van de loting vermeldt dat.",
        "Houd deze pagina open.",
      ],
    },
    dealing: {
      heading: "De plaatsen worden verdeeld…",
      body: [
        "Iedereen die in hetzelfde korte moment is gekomen, krijgt onderling een willekeurige plaats. Iets sneller zijn levert niets op.",
        "Houd deze pagina open.",
      ],
    },
    cancelled: { heading: "Dit gaat niet door", body: ["De beheerders van deze site hebben het afgelast."] },
    "cancelled-line": {
      heading: "Dit gaat niet door",
      body: ["De beheerders van deze site hebben het afgelast. U houdt uw plaats in de gewone rij."],
    },
    "outside-events": { heading: "Dit is nu niet open", body: ["Het gaat open op {opens}.", "Tot dan wordt niemand binnengelaten."] },
    rejected: {
      heading: "Op dit moment wordt niemand binnengelaten",
      body: ["Er is ook geen rij om in te gaan staan. Kom later terug."],
    },
    "left-lobby": {
      heading: "U hebt de lobby verlaten",
      body: [
        "Uw inschrijving blijft meetellen en de plaats ervan blijft ongebruikt. Als u vóór het begin terugkomt, krijgt u een nieuwe inschrijving.",
      ],
    },
    "invitation-needed": {
      heading: "U hebt een uitnodiging nodig",
      body: [
        "Alleen mensen met een uitnodiging kunnen in deze rij komen. Open de link van uw uitnodiging in deze browser.",
        "Als u dat net hebt gedaan, sta dan cookies toe voor deze site en open de link opnieuw.",
      ],
    },
    "invitation-bad": {
      heading: "Deze uitnodiging is niet leesbaar",
      body: [
        "Misschien is de link onderweg afgebroken of veranderd. Open hem opnieuw vanuit het bericht waarin hij stond, of kopieer hem helemaal.",
        "Helpt dat niet, vraag dan de afzender om een nieuwe.",
      ],
    },
    "invitation-expired": {
      heading: "Deze uitnodiging is verlopen",
      body: ["De tijd om haar te gebruiken is voorbij. Vraag de afzender om een nieuwe."],
    },
    "invitation-other-room": {
      heading: "Deze uitnodiging is voor iets anders",
      body: ["Ze geeft geen toegang tot deze rij. Zoek de uitnodiging voor deze rij, of vraag het de afzender."],
    },
    "invitation-used": {
      heading: "Deze uitnodiging is gebruikt",
      body: [
        "Alle plaatsen die ze geeft, zijn bezet. Als een ervan van u is, ga dan verder in de browser waarin u haar het eerst hebt geopend.",
        "Vraag anders de afzender om een nieuwe.",
      ],
    },
    "identity-needed": {
      heading: "Log eerst in",
      body: ["Alleen mensen die zijn ingelogd, kunnen in deze rij komen. Log in, ga terug naar deze pagina en probeer het opnieuw."],
    },
    "identity-bad": {
      heading: "Log opnieuw in",
      body: ["Uw aanmelding geldt hier niet. Log uit en weer in, ga terug naar deze pagina en probeer het opnieuw."],
    },
    "identity-expired": {
      heading: "Uw aanmelding is verlopen",
      body: ["De tijd van uw aanmelding is voorbij. Log opnieuw in, ga terug naar deze pagina en probeer het opnieuw."],
    },
    "identity-unchecked": {
      heading: "We kunnen uw aanmelding nu niet controleren",
      body: ["U hoeft niets te doen: deze pagina blijft het proberen en geeft u zo snel mogelijk een plaats."],
    },
  },
  ahead: { one: "persoon vóór u", other: "mensen vóór u" },
  aheadReturning: { one: "andere teruggekomen persoon is vóór u", other: "andere teruggekomen mensen zijn vóór u" },
  aheadTab: { other: "{n} vóór u" },
  aheadSentence: { one: "{n} persoon is vóór u.", other: "{n} mensen zijn vóór u." },
  takesIn: "Als u aan de beurt bent, brengt deze pagina u naar binnen.",
  returners: {
    one: "{n} persoon die een beurt had gemist is terug en gaat ertussen.",
    other: "{n} mensen die hun beurt hadden gemist zijn terug en gaan ertussen.",
  },
  wait: "Geschatte wachttijd: {wait}",
  waitAt: "Geschatte wachttijd: {wait} (rond {clock})",
  rose: "De rij is trager geworden, dus de schatting is langer dan daarvoor.",
  waitUnknown: "We kunnen de wachttijd nog niet schatten.",
  about: "ongeveer {time}",
  lessThan: "minder dan {time}",
  moreThan: "meer dan {time}",
  range: "{from} tot {to}",
  takeovers: { one: "nog {n} keer", other: "nog {n} keer" },
  way: "Uw weg door de rij",
  message: "Bericht van de site",
  messageAt: "Geplaatst: {time}",
  startsIn: "Begint over {time}",
  startsNow: "Het begint. Uw plaats volgt zo dadelijk.",
  entered: { one: "{n} persoon heeft zich ingeschreven.", other: "{n} mensen hebben zich ingeschreven." },
  randomPlace:
    "Iedereen die zich tot dan heeft ingeschreven, krijgt een willekeurige plaats. Zodra de lobby open is, levert vroeger komen niets op.",
  sealed: "De loting is verzegeld voordat iemand zich inschreef ({commitment}).",
  beaconRule:
    "Er is ook een openbaar willekeurig getal voor nodig dat pas na het begin ontstaat, zodat niemand de volgorde vooraf kan kennen.",
  beaconNone: "Er wordt geen openbaar willekeurig getal gebruikt: wie deze wachtruimte beheert, had de volgorde vooraf kunnen kennen.",
  calendar: "Toevoegen aan agenda",
  calendarTurn: "{title}: uw beurt, op zijn vroegst",
  howDrawn: "Hoe de loting werkt",
  checkDraw: "Hoe uw plaats is geloot",
  placeTitle: "Uw plaats",
  placeNotes: [
    "Uw plaats wordt in deze browser bewaard; u raakt haar kwijt als u cookies wist of een privévenster sluit.",
    "Als u deze pagina sluit, houdt u uw plaats. Bent u weg wanneer u aan de beurt bent, dan hebt u minstens 10 minuten om terug te komen en hoort u bij de volgenden.",
    "Binnengelaten worden betekent niet dat wat u zoekt er nog is.",
  ],
  reference: "Referentiecode voor de klantenservice: {code}",
  rejoin: "Als u zich opnieuw aansluit, begint u achteraan in de rij.",
  rejoinLobby: "Het is nog niet begonnen: als u zich opnieuw aansluit, doet u mee zoals iedereen die nu komt.",
  leave: "De rij verlaten",
  leaveConsequence: "Uw plaats gaat naar de volgende. Als u later terugkomt, begint u achteraan in de rij.",
  leaveLobby:
    "Uw inschrijving blijft meetellen, maar niemand gebruikt de plaats ervan. Als u vóór het begin terugkomt, krijgt u een nieuwe inschrijving.",
  leaveConfirm: "Ja, mijn plaats opgeven",
  enter: "Nu naar binnen",
  join: "Opnieuw aansluiten",
  stay: "Hier blijven",
  copyLink: "Link kopiëren",
  copied: "Gekopieerd",
  continueHere: "Hier doorgaan",
  tryAgain: "Opnieuw proberen",
  logIn: "Inloggen",
  invitation: "Uw uitnodiging: de link, of de lange code erin",
  useInvitation: "Deze uitnodiging gebruiken",
  check: "Nu controleren",
  language: "Taal",
  updated: "Laatst bijgewerkt {time}",
  updatesItself: "Deze pagina werkt zichzelf bij.",
  pauseUpdates: "Bijwerken pauzeren",
  showUpdates: "Weer bijwerken",
  updatesPaused: "Het bijwerken is gepauzeerd. U houdt uw plaats en deze pagina meldt nog steeds wanneer u aan de beurt bent.",
  reloadsItself: "Deze pagina wordt telkens opnieuw geladen na {time}.",
  reloadsStop: "Opnieuw laden stoppen",
  reloadsOff: "Deze pagina werkt zichzelf niet bij.",
  reloadsStart: "Vanzelf bijwerken",
  enteringIn: "De site gaat open over {time}",
  entering: "De site wordt geopend…",
  yourTurn: "U bent aan de beurt. De site gaat over een paar seconden open, of druk op ‘Nu naar binnen’.",
  yourTurnForm: "U bent aan de beurt. U kunt uw formulier nu verzenden.",
  stayOn: "Op deze pagina blijven",
  staying: "U bent aan de beurt. Deze pagina gaat nu niet vanzelf naar binnen.",
  turnEnds: "Tijd om naar binnen te gaan: {time}",
  moreTime: "Ik heb meer tijd nodig",
  alerts: {
    me: "Waarschuw me als ik aan de beurt ben",
    sound: "Geluid afspelen",
    vibrate: "Trillen",
    notification: "Melding tonen",
    screen: "Scherm aan laten",
    refused: "Uw browser staat dit niet toe.",
  },
  offline: "U bent offline. Deze pagina gaat verder zodra u weer verbinding hebt.",
  offlineTab: "Offline",
  noAnswer: "Er komt nu geen antwoord. Deze pagina blijft het proberen.",
  placeKept: "U houdt uw plaats.",
  backAgain: "U hebt weer verbinding.",
  proof: {
    progress: "Voortgang van de controle",
    working: "Uw apparaat rekent iets uit. Dit duurt een paar seconden, soms een of twee minuten; u hoeft niets te doen.",
    done: "{percent} van de controle gedaan.",
    shown: "De controle is klaar.",
    again: "Wat uw browser heeft laten zien, telt niet meer; daarom wordt het nog eens gevraagd.",
    unchecked: "We kunnen de controle nu niet uitvoeren. Deze pagina blijft het proberen; u hoeft niets te doen.",
    stop: "Controle stoppen",
    start: "Controle starten",
    stopped: "De controle is gestopt. Deze pagina probeert nog steeds af en toe of u zonder controle een plaats krijgt.",
    failed:
      "Deze browser kan de controle niet uitvoeren. Deze pagina probeert nog steeds af en toe of u zonder controle een plaats krijgt.",
    widget: "Deze controle wordt uitgevoerd door Cloudflare Turnstile.",
    widgetFailed:
      "De controle kon niet worden geladen vanaf challenges.cloudflare.com. Als iets dat adres blokkeert, sta het dan toe en begin opnieuw.",
    noScripts:
      "De controle heeft JavaScript nodig. Sta het toe voor deze site, of laat deze pagina open: ze probeert af en toe of u zonder controle een plaats krijgt.",
  },
  formLost:
    "Wat u hebt verzonden, is niet bij de site aangekomen. Als u binnen bent, gaat deze pagina zonder die gegevens open; verzend ze dan van daaruit opnieuw.",
  formKept:
    "Wat u hebt verzonden, is niet bij de site aangekomen. Houd deze pagina open: zodra u binnen bent, kunt u het van hieruit opnieuw verzenden.",
  formSend: "Opnieuw verzenden",
  formFirst:
    "Open deze pagina in een nieuw tabblad om naar binnen te gaan. Als de site daar open is, kom dan hier terug en verzend het opnieuw.",
  formOpen: "Deze pagina in een nieuw tabblad openen",
  sentence: "{text}.",
};
