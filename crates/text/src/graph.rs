/// A random surfer follows an edge with this probability.
const DAMPING: f32 = 0.85;
const ROUNDS: usize = 20;

/// Weighted PageRank (TextRank) over an undirected graph. The mean score is 1; nodes without edges have the least.
///
/// The time is linear in the edges. Edges to unknown nodes are ignored.
pub(crate) fn rank(nodes: usize, edges: &[(usize, usize, f32)]) -> Vec<f32> {
    let valid = |&&(a, b, weight): &&(usize, usize, f32)| a < nodes && b < nodes && a != b && weight > 0.0;
    let mut strength = vec![0.0_f32; nodes];
    for &(a, b, weight) in edges.iter().filter(valid) {
        strength[a] += weight;
        strength[b] += weight;
    }
    let mut scores = vec![1.0_f32; nodes];
    for _ in 0..ROUNDS {
        let mut next = vec![1.0 - DAMPING; nodes];
        for &(a, b, weight) in edges.iter().filter(valid) {
            next[a] += DAMPING * scores[b] * weight / strength[b];
            next[b] += DAMPING * scores[a] * weight / strength[a];
        }
        scores = next;
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hub_of_a_star_ranks_first_and_a_loner_last() {
        let scores = rank(5, &[(0, 1, 1.0), (0, 2, 1.0), (0, 3, 1.0), (7, 0, 1.0)]);
        assert!(scores[0] > scores[1] && scores[1] > scores[4]);
        assert!((scores[1] - scores[3]).abs() < 1e-6);
    }
}
