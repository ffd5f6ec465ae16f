//! English words that give a question about past talk away, as data.

use super::Reason;
use super::cues::{Cue, cue};

#[rustfmt::skip]
const SAY: &[&str] = &[
    " say ", " said ", " tell ", " told ", " mention ", " mentioned ", " talk ", " talked ", " talking ", " discuss ",
    " discussed ", " decide ", " decided ", " agree ", " agreed ", " recommend ", " recommended ", " suggest ", " suggested ",
    " share ", " shared ", " describe ", " described ", " ask ", " asked ", " bring up ", " brought up ", " chat ", " chatted ",
    " promise ", " promised ", " plan ", " planned ", " give ", " gave ", " send ", " sent ", " cover ", " covered ", " explain ",
    " explained ", " set ", " pick ", " picked ", " settle ", " settled ", " propose ", " proposed ", " vote ", " voted ",
    " offer ", " offered ", " report ", " reported ", " conclude ", " concluded ", " teach ", " taught ", " note ", " noted ",
    " quote ", " quoted ",
    " complain ", " complained ", " post ", " posted ", " raise ", " raised ", " volunteer ", " volunteered ", " commit ", " committed ", " log ", " logged ", " confirm ", " confirmed ", " write ", " wrote ", " claim ", " claimed ", " disagree ", " disagreed ", " warn ", " warned ", " advise ", " advised ", " flag ", " flagged ", " choose ", " chose ",
    " reply ", " replied ", " answer ", " answered ", " anwser ", " drop ", " dropped ", " argue ", " argued ", " put ", " reckoned ", " ditch ", " ditched ",
    " call ", " called ", " have me ",
];
#[rustfmt::skip]
const ASK: &[&str] = &[
    " what ", " which ", " when ", " where ", " who ", " how ", " why ", " did ", " whose ", " what s ", " whats ", " can you ",
    " remind me ", " tell me ", " forgot ", " forget ",
    " list ", " show me ", " any idea ", " give me ", " have we ", " have i ", " could you ", " would you ", " can t remember ", " don t remember ",
];
#[rustfmt::skip]
const STORE: &[&str] = &[
    " remember that ", " remember to ", " please remember ", " remind me to ", " remind me at ", " remind me tomorrow ",
    " remind me in ", " remind me on ", " remind me every ", " remind me next ", " don t forget ", " make a note ", " note that ",
    " keep in mind ", " set a reminder ", " set an alarm ", " save this ", " add a reminder ", " schedule ",
];
#[rustfmt::skip]
const ADVICE: &[&str] = &[
    " should i ", " how do i ", " how can i ", " how could i ", " what should ", " can you suggest ", " could you suggest ",
    " can you recommend ", " could you recommend ", " any tips ", " any advice ", " any suggestions ", " help me write ",
    " can you help ", " could you help ", " what would you ", " weather ", " write a ", " draft ", " how would ", " how to ",
    " is it ok ", " is it normal ", " is it safe ", " what is the best ", " what are some ", " what s the best ",
    " please suggest ", " give me some ", " i m looking for ", " i need help ", " can you give me some ", " what can i ",
    " what else ", " anything else ", " got something ", " any other ", " anything in that line ", " translate ", " in japanese ", " in french ", " in spanish ", " in english ", " in chinese ", " how do you say ", " rewrite ", " rephrase ",
];
/// What takes up past talk in passing.
#[rustfmt::skip]
const IN_PASSING: &[&str] = &[
    " thank you ", " thanks for ", " like you said ", " as you said ", " as you suggested ", " like you suggested ",
    " as i said ", " like i said ", " forget everything ", " forget what i ", " as i mentioned ", " like i mentioned ",
    " as we discussed ", " question is different ", " like i told ", " as i told ", " not here ", " anything similar ",
];
/// Who else may remember, or in which language.
#[rustfmt::skip]
const OF_OTHERS: &[&str] = &[
    " people ", " usually remember ", " patients ", " translate ", " in japanese ", " in french ", " in english ",
];
/// What asks for something.
const ASKED: &[&str] =
    &[" what ", " which ", " who ", " when ", " where ", " any ", " did ", " has ", " was ", " how "];
/// Whose words are in books and not in the talk.
#[rustfmt::skip]
const TOLD_OF: &[&str] = &[
    " act ", " scene ", " novel ", " in the book ", " bible ", " philosopher ", " president ", " published ", " century ", " speech ", " movie ", " film ", " play ", " poem ", " in chapter ", " character ", " protagonist ", " author ", " shakespeare ", " famously ",
    " commons ", " really say ", " in an interview ", " post race ", " parliament ", " senate ", " congress ", " mr ",
    " fed ", " churchill ",
    " presidential ", " debate ",
];

#[rustfmt::skip]
pub(super) const CUES: &[Cue] = &[
    cue(&[&[" do you remember ", " do you recall ", " you remember ", " can you recall ", " could you recall ", " remember when i ", " remember what ", " remember which ", " remember who ", " remember how ", " remember the name ", " remember where ", " recall what ", " recall when ", " recall the ", " can you remember "]], &[STORE, OF_OTHERS], 0.7, true, Reason::AsksToRemember),
    cue(&[&[" did i ", " did we ", " did you ", " have i ", " have we ", " had i ", " had we ", " have you ", " i d ", " did they ", " did anyone ", " did anybody ", " did someone ", " has anyone ", " has anybody ", " haven t i ", " haven t we ", " didn t i ", " didn t we ", " didn t you ", " was it me who "], SAY], &[&[" did you know ", " have you heard ", " have you tried ", " have you ever "]], 0.6, true, Reason::AsksWhatWasSaid),
    cue(&[&[" i told you ", " i said ", " i mentioned ", " you said ", " you told me ", " you mentioned ", " we talked ", " we discussed ", " we decided ", " we agreed ", " we were talking ", " you recommended ", " you suggested ", " i was telling you ", " i asked you ", " we spoke ", " we chatted ", " i ve told you ", " i ve mentioned ", " i ve said ", " i told ", " you gave me ", " you taught me ", " we covered ", " i shared ", " we set ", " we picked ", " we settled ", " i sent you ", " you sent me ", " you listed ", " we planned ", " we came up with ", " you explained ", " i described ", " we made ", " we wrote ", " asked you to ", " told me … you ", " was it you who ", " did we ever ", " told you ", " gave you ", " sent you ", " you reckoned ", " you wrote ", " you drafted ", " you made me ", " we gave you ", " we argued ", " we chose ", " we ditched ", " we dropped ", " i gave you ", " you shared ", " you posted ", " you had me ", " you promised ", " you agreed ", " you warned ", " you advised ", " i reported ", " i complained ", " i logged ", " you picked ", " you chose ", " you showed me ", " you named "]], &[ADVICE, IN_PASSING], 0.6, true, Reason::AsksWhatWasSaid),
    cue(&[&[" what was it ", " when was it ", " who was it ", " which was it ", " where was it ", " what was that again ", " what was his name ", " what was her name ", " what was its name ", " what were they "]], &[ADVICE], 0.5, true, Reason::AsksWhatWasSaid),
    cue(&[&[" anyone ", " anybody ", " someone ", " somebody ", " who ", " was it … who ", " agent ", " bot "], SAY, &[" here ", " in here ", " chat ", " channel ", " group ", " thread ", " yesterday ", " earlier ", " last ", " before ", " while i was ", " already ", " agent ", " bot "]], &[TOLD_OF], 0.5, true, Reason::AsksWhatWasSaid),
    cue(&[&[" you know about my ", " you know about me ", " do you know my ", " do you have my ", " do you know where i ", " do you know what i ", " do you know who my ", " do you know when i ", " do you know how i ", " what s on my ", " on my … list ", " am i on ", " am i up to ", " anyone remember ", " you should have it ", " you should know ", " going by what i ", " based on what i ", " from what i ve told ", " our last chat ", " our last talk ", " our last session ", " our old chats ", " our chats ", " our old messages ", " chat history ", " our history "]], &[ADVICE], 0.5, true, Reason::AsksForOwnFact),
    cue(&[&[" did … say ", " did … mention ", " did … suggest ", " did … propose ", " did … promise ", " did … recommend ", " did … agree ", " did … report ", " did … tell ", " did … bring up ", " did … decide ", " did … offer ", " did … ask ", " did … post ", " did … commit ", " did … give ", " did … send ", " did … set ", " did … want ", " did … pick ", " did … name ", " did … quote ", " did … choose ", " did … vote ", " did … volunteer ", " did … complain ", " has … said ", " has … mentioned ", " … proposed ", " … suggested ", " … volunteered "], ASK], &[TOLD_OF], 0.5, true, Reason::AsksWhatWasSaid),
    cue(&[&[" did ", " said ", " say "], TOLD_OF], &[&[" we ", " you ", " i told ", " did i "]], -0.7, true, Reason::AsksOtherwise),
    cue(&[&[" what was ", " what were ", " what s ", " which ", " what is "], &[" your advice ", " your suggestion ", " your suggestions ", " your recommendation ", " your recommendations ", " your answer ", " your explanation ", " your list ", " your tip ", " your tips ", " your plan for me "]], &[&[" on how ", " what s your ", " what is your "]], 0.5, true, Reason::AsksWhatWasSaid),
    cue(&[ASK, &[" i wanted ", " i planned ", " i chose ", " i promised ", " i committed ", " i logged ", " i reported ", " i complained ", " i picked ", " i ordered ", " i booked ", " i was supposed ", " i was taking ", " i was reading ", " i was on ", " i started with ", " i set ", " i settled ", " i agreed ", " i decided ", " i named ", " i listed ", " i signed up "]], &[ADVICE], 0.5, true, Reason::AsksForOwnFact),
    cue(&[&[" who shared ", " who posted ", " who sent ", " who s got ", " has … replied ", " was i supposed ", " was i suposed ", " testing your memory ", " scroll up ", " you know my "]], &[TOLD_OF], 0.5, true, Reason::AsksWhatWasSaid),
    cue(&[&[" channel ", " s thread ", " this thread ", " the thread "], ASKED], &[ADVICE], 0.5, true, Reason::AsksWhatWasSaid),
    cue(&[&[" were we on ", " were we at ", " were we doing ", " were we reading ", " did we stop ", " did we leave ", " did we get to ", " was i on ", " was i at ", " did we land on ", " did we end up "]], &[], 0.6, true, Reason::AsksWhatWasSaid),
    cue(&[&[" in the gc ", " in this gc ", " in here ", " group posted ", " unread ", " the last … in here ", " in this chat ", " in this group ", " in this thread ", " in this channel ", " in the thread ", " in the channel ", " on this thread ", " on here "], SAY], &[], 0.6, true, Reason::AsksWhatWasSaid),
    cue(&[&[" tldr ", " tl dr ", " catch me up ", " what happened "], &[" in here ", " here ", " in the group ", " in this ", " while i ", " thread ", " of this ", " of the "]], &[], 0.6, false, Reason::AsksForSummary),
    cue(&[&[" translate ", " in japanese ", " in french ", " in spanish ", " into english ", " into french ", " into chinese ", " how do you say "]], &[], -3.0, false, Reason::AsksForAction),
    cue(&[&[" don t forget ", " do not forget ", " never forget "]], &[], -0.9, false, Reason::AsksForAction),
    cue(&[&[" recap ", " summarize ", " summarise ", " summary ", " catch me up ", " bring me up to speed ", " go over ", " what did i miss ", " sum up ", " run me through ", " walk me through "], &[" yesterday ", " last ", " our ", " we ", " conversation ", " chat ", " chats ", " talk ", " this week ", " past ", " earlier ", " group ", " today ", " previous ", " since "]], &[&[" book ", " article ", " this text ", " every "]], 0.6, true, Reason::AsksForSummary),
    cue(&[&[" what did i miss ", " what s been said ", " what was said ", " what was decided ", " where did we leave off ", " where were we ", " where did i leave off ", " what was the name of the ", " what was that ", " what were we ", " what was it again ", " what s it called again ", " again what ", " what was the ", " what were the ", " what was your ", " what were your ", " who said ", " who was it ", " who mentioned ", " who suggested "]], &[ADVICE], 0.5, true, Reason::AsksWhatWasSaid),
    cue(&[&[" remind me what ", " remind me which ", " remind me who ", " remind me when ", " remind me where ", " remind me how ", " remind me of ", " remind me why ", " remind me again ", " refresh my memory ", " i forgot what ", " i forgot which ", " i forgot the ", " i forget what ", " i forget the ", " i forget which ", " i can t remember ", " i don t remember ", " what i told you ", " pull up ", " look up what ", " find what i ", " find the message ", " the exact words ", " word for word ", " again please "]], &[&[" remind me of my appointment "]], 0.6, false, Reason::AsksWhatWasSaid),
    cue(&[&[" my ", " i ", " mine ", " am i ", " our "], &[" what is my ", " what s my ", " whats my ", " what are my ", " when is my ", " when s my ", " when was my ", " where is my ", " where do i ", " where did i ", " when did i ", " what did i ", " which did i ", " who is my ", " who s my ", " who did i ", " how many ", " how much ", " how long ", " how often ", " how old ", " which ", " what was my ", " what were my ", " do i like ", " do i have ", " what do i ", " did i ", " have i ", " am i allergic ", " don t like ", " right? ", " what kind of ", " what type of ", " what time do i ", " what time did i ", " what day ", " what date ", " what are the names ", " what is the name of my ", " what s the name of my ", " what s the name of ", " what color ", " what book ", " what movie ", " what car ", " what city ", " why did i ", " how did i "]], &[&[" should i ", " should we ", " can i ", " could i ", " would ", " best ", " recommend ", " suggest ", " advice ", " help ", " is it ", " tomorrow ", " next week ", " next month ", " will ", " going to ", " do i need ", " how do i ", " how can i ", " tips ", " do i look ", " am i ok ", " did i do ", " need to ", " do you think "]], 0.5, true, Reason::AsksForOwnFact),
    cue(&[&[" according to our ", " based on our ", " from our conversation ", " in our conversation ", " in our conversations ", " in our chat ", " in our last ", " our last ", " our previous ", " our earlier ", " throughout our ", " across our ", " from our ", " in the group ", " in the chat ", " earlier conversation ", " previous conversation ", " during our "], ASK], &[], 0.6, true, Reason::AsksWhatWasSaid),
    cue(&[&[" last time ", " last week ", " yesterday ", " the other day ", " earlier ", " previously ", " before ", " last month ", " days ago ", " weeks ago ", " months ago ", " last night ", " this morning ", " last monday ", " last tuesday ", " last friday ", " back in "], SAY, ASK], &[&[" should ", " best ", " recommend a ", " \" "]], 0.5, true, Reason::AsksWhatWasSaid),
    cue(&[&[" when did ", " what did ", " where did ", " who did ", " why did ", " how did ", " what does ", " what do i "], &[" say ", " said ", " go ", " receive ", " have ", " get ", " like ", " take ", " buy ", " do ", " interview ", " attend ", " visit ", " share ", " tell ", " end up ", " picking ", " start ", " make ", " read ", " watch ", " plan ", " feel "], &[" ?"]], &[&[" should ", " how do i ", " did you know ", " what do you ", " can i ", " best ", " mean ", " what does it ", " do you think ", " what do people ", " how did you ", " tomorrow ", " what did you do ", " next "]], 0.5, true, Reason::AsksWhatWasSaid),
    cue(&[&[" i once ", " i shared ", " i recommended ", " i told ", " you warned ", " i ran it past ", " i wrote you ", " we stopped ", " the group discuss ", " last time i ", " your take on ", " was i ", " were we ", " i was planning ", " did the group ", " didn t i ", " have i already ", " already tell ", " do you remeber ", " about my background ", " my previous "], &[" ?"]], &[ADVICE], 0.5, true, Reason::AsksWhatWasSaid),
    cue(&[&[" who said ", " who was it "], &["\""]], &[], -0.6, true, Reason::AsksOtherwise),
    cue(&[&[" my therapist ", " my doctor told ", " thank you ", " thanks ", " helped a lot ", " i need to remember ", " still don t know ", " i m glad ", " haven t decided "]], &[&[" what did my doctor ", " did my "]], -0.5, false, Reason::States),
    cue(&[STORE], &[&[" did i ", " do you remember ", " i told you ", " you gave ", " you sent ", " we talked "]], -0.7, false, Reason::AsksForAction),
    cue(&[ADVICE], &[&[" you said ", " i told ", " we talked ", " we discussed ", " you recommended ", " you suggested ", " did i ", " did we ", " remember "]], -0.4, false, Reason::AsksOtherwise),
];

#[rustfmt::skip]
pub(super) const DETAILS: &[&str] = &[
    " how much ", " how many ", " how long ", " how often ", " how old ", " what time ", " when ", " where ", " who ", " whose ",
    " which ", " name ", " names ", " called ", " exact ", " exactly ", " number ", " date ", " price ", " dose ", " address ",
    " what day ", " title ", " word for word ", " quote ", " phone ", " code ", " what s my ", " what is my ", " what color ",
    " percent ", " cost ", " score ", " weight ", " password ", " how far ", " how big ",
];
