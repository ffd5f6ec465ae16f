//! English first names that are seldom anything else, lower case, sorted.

#[rustfmt::skip]
const FORENAMES: &[&str] = &[
    "aaron", "abby", "abigail", "adam", "adrian", "ahmed", "aidan", "aisha", "alan", "albert", "alejandro",
    "alex", "alexander", "alexandra", "alexis", "alfred", "alice", "alicia", "alison", "allen", "allison",
    "alyssa", "amanda", "amelia", "amy", "ana", "andrea", "andrew", "andy", "angela", "ann", "anna", "anne",
    "annie", "anthony", "antonio", "arthur", "ashley", "audrey", "ava", "barbara", "becky", "ben",
    "benjamin", "bernard", "beth", "betty", "beverly", "bob", "bobby", "brad", "brandon", "brenda", "brian",
    "brittany", "bruce", "bryan", "calvin", "cameron", "carl", "carla", "carlos", "carmen", "carol",
    "caroline", "carolyn", "catherine", "cathy", "cecilia", "charles", "charlie", "charlotte", "chelsea",
    "chloe", "chris", "christian", "christina", "christine", "christopher", "cindy", "claire", "clara",
    "claudia", "colin", "connor", "craig", "crystal", "cynthia", "daniel", "danielle", "danny", "dave",
    "david", "deborah", "debra", "denise", "dennis", "derek", "diana", "diane", "diego", "dominic",
    "donald", "donna", "doris", "dorothy", "douglas", "dylan", "eddie", "edward", "eileen", "elaine",
    "eleanor", "elena", "eli", "elijah", "elizabeth", "ella", "ellen", "emily", "emma", "eric", "erica",
    "erik", "erin", "ethan", "eugene", "eva", "evan", "evelyn", "felix", "fiona", "frances", "frank",
    "fred", "gabriel", "gary", "george", "gerald", "gina", "gloria", "gordon", "grace", "greg", "gregory",
    "hailey", "hannah", "harold", "harry", "heather", "hector", "helen", "henry", "howard", "hugo", "ian",
    "irene", "isaac", "isabel", "isabella", "ivan", "jack", "jackie", "jackson", "jacob", "jade", "jake",
    "james", "jamie", "jan", "jane", "janet", "janice", "jason", "jay", "jean", "jeff", "jeffrey", "jen",
    "jenna", "jennifer", "jenny", "jeremy", "jerry", "jesse", "jessica", "jessie", "jill", "jim", "jimmy",
    "joan", "joanna", "joe", "joel", "john", "johnny", "jon", "jonathan", "jordan", "jose", "joseph",
    "josh", "joshua", "joyce", "juan", "judith", "judy", "julia", "julian", "julie", "justin", "karen",
    "karl", "kate", "katherine", "kathleen", "kathryn", "kathy", "katie", "kayla", "keith", "kelly", "ken",
    "kenneth", "kevin", "kim", "kimberly", "kyle", "larry", "laura", "lauren", "laurie", "lawrence", "leah",
    "lee", "leo", "leon", "leonard", "lewis", "liam", "lily", "linda", "lindsay", "lisa", "liz", "logan",
    "lois", "lori", "louis", "louise", "lucas", "lucy", "luis", "luke", "lynn", "madison", "maggie",
    "marcus", "margaret", "maria", "marie", "marilyn", "mario", "martha", "martin", "mary", "mason", "matt",
    "matthew", "maureen", "max", "megan", "melanie", "melissa", "mia", "michael", "michelle", "miguel",
    "mike", "molly", "monica", "nancy", "natalie", "nate", "nathan", "nicholas", "nick", "nicole", "nina",
    "noah", "nora", "norman", "oliver", "olivia", "oscar", "owen", "pam", "pamela", "patricia", "patrick",
    "paul", "paula", "pedro", "peggy", "peter", "phil", "philip", "phillip", "phoebe", "priya", "rachel",
    "ralph", "randy", "raymond", "rebecca", "rebekah", "ricardo", "richard", "rick", "ricky", "rita",
    "robert", "robin", "rodney", "roger", "ronald", "ross", "roy", "russell", "ruth", "ryan", "sally",
    "sam", "samantha", "samuel", "sandra", "sara", "sarah", "scott", "sean", "sebastian", "sharon", "shaun",
    "shawn", "sheila", "shirley", "simon", "sofia", "sophia", "sophie", "stacy", "stanley", "stella",
    "stephanie", "stephen", "steve", "steven", "stuart", "sue", "susan", "suzanne", "sylvia", "tamara",
    "tanya", "tara", "taylor", "ted", "teresa", "terry", "theodore", "theresa", "thomas", "tiffany", "tim",
    "timothy", "tina", "todd", "tom", "tommy", "tony", "tracy", "travis", "trevor", "tyler", "valerie",
    "vanessa", "vera", "veronica", "vicki", "victor", "victoria", "vincent", "virginia", "vivian", "walter",
    "wanda", "wayne", "wendy", "william", "xavier", "yvonne", "zach", "zachary", "zoe",
];

pub(crate) fn is_forename(lower: &str) -> bool {
    FORENAMES.binary_search(&lower).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_without_repeats() {
        let unsorted: Vec<_> = FORENAMES.windows(2).filter(|pair| pair[0] >= pair[1]).collect();
        assert!(unsorted.is_empty(), "{unsorted:?}");
    }
}
