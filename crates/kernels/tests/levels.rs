//! Every level that this machine has gives what the scalar twin gives: the same integers, and floats within a small bound.

use memoir_kernels::{
    AttentionScratch, Dense, Finish, Heads, Level, QuantizedDense, QuantizedRows, dot_f32, dot_i8, quantize,
    scan_f32, scan_i8,
};
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng};

/// Numbers that depend on the seed alone.
fn numbers(seed: u64, count: usize, greatest: f32) -> Vec<f32> {
    let bytes: Vec<u8> = seed.to_le_bytes().repeat(4);
    let mut random = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    (0..count).map(|_| (random.next_u32() as f32 / u32::MAX as f32 * 2.0 - 1.0) * greatest).collect()
}

fn bytes(seed: u64, count: usize) -> Vec<i8> {
    numbers(seed, count, 127.0).into_iter().map(|number| number.round() as i8).collect()
}

/// Each number is as close as the sizes of what was added allow.
fn assert_close(level: Level, got: &[f32], wanted: &[f32], size: f32) {
    assert_eq!(got.len(), wanted.len());
    for (at, (got, wanted)) in got.iter().zip(wanted).enumerate() {
        let bound = 1e-5 * (size + wanted.abs());
        assert!((got - wanted).abs() <= bound, "{level:?} at {at}: {got} is not {wanted}");
    }
}

fn faster() -> impl Iterator<Item = Level> {
    Level::available().filter(|&level| level != Level::Scalar)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn scans_of_floats_agree(seed: u64, len in 0usize..200, rows in 0usize..11, shift in 0usize..4) {
        let (query, block) = (numbers(seed, len + shift, 1.0), numbers(seed + 1, rows * len + shift, 1.0));
        let (query, block) = (&query[shift..], &block[shift..]);
        let mut wanted = vec![0.0; rows];
        Level::Scalar.scan_f32(query, block, &mut wanted);
        for level in faster() {
            let mut got = vec![f32::NAN; rows];
            level.scan_f32(query, block, &mut got);
            assert_close(level, &got, &wanted, len as f32);
            for (row, &got) in got.iter().enumerate() {
                prop_assert_eq!(level.dot_f32(query, &block[row * len..][..len]), got);
            }
        }
    }

    #[test]
    fn scans_of_bytes_are_the_same(seed: u64, len in 0usize..400, rows in 0usize..11, shift in 0usize..4) {
        let (query, block) = (bytes(seed, len + shift), bytes(seed + 1, rows * len + shift));
        let (query, block) = (&query[shift..], &block[shift..]);
        let mut wanted = vec![0; rows];
        Level::Scalar.scan_i8(query, block, &mut wanted);
        for level in faster() {
            let mut got = vec![i32::MIN; rows];
            level.scan_i8(query, block, &mut got);
            prop_assert_eq!(&got, &wanted);
            for (row, &got) in got.iter().enumerate() {
                prop_assert_eq!(level.dot_i8(query, &block[row * len..][..len]), got);
            }
        }
    }

    #[test]
    fn quantised_vectors_are_the_same(seed: u64, len in 0usize..200, greatest in 1e-6f32..1e6, shift in 0usize..4) {
        let vector = numbers(seed, len + shift, greatest);
        let vector = &vector[shift..];
        let mut wanted = vec![0; len];
        let scale = Level::Scalar.quantize(vector, &mut wanted);
        for (number, &byte) in vector.iter().zip(&wanted) {
            prop_assert!((number - scale * f32::from(byte)).abs() <= scale * 0.5001);
        }
        for level in faster() {
            let mut got = vec![0; len];
            prop_assert_eq!(level.quantize(vector, &mut got), scale);
            prop_assert_eq!(&got, &wanted);
        }
    }

    #[test]
    fn layers_of_floats_agree(seed: u64, rows in 0usize..30, inputs in 1usize..70, outputs in 1usize..70) {
        let input = numbers(seed, rows * inputs, 2.0);
        let residual = numbers(seed + 1, rows * outputs, 2.0);
        let layer = Dense::new(&numbers(seed + 2, inputs * outputs, 1.0), &numbers(seed + 3, outputs, 1.0), inputs);
        for finish in [Finish::Plain, Finish::Gelu, Finish::Residual(&residual)] {
            let mut wanted = vec![0.0; rows * outputs];
            layer.apply(Level::Scalar, &input, finish, &mut wanted);
            for level in faster() {
                let mut got = vec![f32::NAN; rows * outputs];
                layer.apply(level, &input, finish, &mut got);
                assert_close(level, &got, &wanted, 2.0 * inputs as f32);
            }
        }
    }

    #[test]
    fn layers_of_bytes_are_the_same(seed: u64, rows in 0usize..30, inputs in 1usize..150, outputs in 1usize..70) {
        let input = numbers(seed, rows * inputs, 2.0);
        let residual = numbers(seed + 1, rows * outputs, 2.0);
        let weights = numbers(seed + 2, inputs * outputs, 1.0);
        let layer = QuantizedDense::new(&weights, &numbers(seed + 3, outputs, 1.0), inputs);
        let apply = |level: Level, finish: Finish<'_>| {
            let (mut quantized, mut output) = (QuantizedRows::default(), vec![f32::NAN; rows * outputs]);
            quantized.fill(level, &input, inputs);
            layer.apply(level, &quantized, finish, &mut output);
            output
        };
        for finish in [Finish::Plain, Finish::Residual(&residual)] {
            let wanted = apply(Level::Scalar, finish);
            for level in faster() {
                prop_assert_eq!(&apply(level, finish), &wanted);
            }
        }
        for level in faster() {
            assert_close(level, &apply(level, Finish::Gelu), &apply(Level::Scalar, Finish::Gelu), 1.0);
        }
    }

    #[test]
    fn layers_of_bytes_are_near_those_of_floats(seed: u64, rows in 1usize..8, inputs in 1usize..150, outputs in 1usize..40) {
        let (input, bias) = (numbers(seed, rows * inputs, 2.0), numbers(seed + 1, outputs, 1.0));
        let weights = numbers(seed + 2, inputs * outputs, 1.0);
        let mut quantized = QuantizedRows::default();
        quantized.fill(Level::best(), &input, inputs);
        let (mut bytes, mut floats) = (vec![0.0; rows * outputs], vec![0.0; rows * outputs]);
        QuantizedDense::new(&weights, &bias, inputs).apply(Level::best(), &quantized, Finish::Plain, &mut bytes);
        Dense::new(&weights, &bias, inputs).apply(Level::best(), &input, Finish::Plain, &mut floats);
        // Half a step of the input (4 / 255) and of the weights (1 / 127) in each product.
        let bound = inputs as f32 * (2.0 / 255.0 + 2.0 * 0.5 / 127.0 + 1e-3);
        for (bytes, floats) in bytes.iter().zip(&floats) {
            prop_assert!((bytes - floats).abs() <= bound, "{bytes} is not near {floats}");
        }
    }

    #[test]
    fn layer_norms_agree(seed: u64, rows in 0usize..5, width in 1usize..200, shift in 0usize..4) {
        let (gain, bias) = (numbers(seed + 1, width, 1.0), numbers(seed + 2, width, 1.0));
        let input = numbers(seed, rows * width + shift, 3.0);
        let mut wanted = input.clone();
        Level::Scalar.layer_norm(&mut wanted[shift..], &gain, &bias, 1e-3);
        for level in faster() {
            let mut got = input.clone();
            level.layer_norm(&mut got[shift..], &gain, &bias, 1e-3);
            assert_close(level, &got, &wanted, 10.0);
        }
    }

    #[test]
    fn softmaxes_agree(seed: u64, len in 0usize..200, greatest in 0f32..300.0, shift in 0usize..4) {
        let mut scores = numbers(seed, len + shift, greatest);
        // Nothing near nought, which the unused lanes of a register hold.
        scores.iter_mut().for_each(|score| *score -= 1000.0);
        let mut wanted = scores.clone();
        Level::Scalar.softmax(&mut wanted[shift..], 0.25);
        for level in faster() {
            let mut got = scores.clone();
            level.softmax(&mut got[shift..], 0.25);
            assert_close(level, &got, &wanted, 1.0);
        }
    }

    #[test]
    fn attentions_agree(seed: u64, tokens in 0usize..80, count in 1usize..4, width in 1usize..70) {
        let heads = Heads { count, width };
        let rows = numbers(seed, 3 * tokens * count * width, 2.0);
        let attend = |level: Level| {
            // A longer sequence before it must leave no trace.
            let mut scratch = AttentionScratch::default();
            let longer = numbers(seed + 1, 3 * (tokens + 9) * count * width, 2.0);
            level.attention(&longer, heads, &mut scratch, &mut vec![0.0; (tokens + 9) * count * width]);
            let mut output = vec![f32::NAN; tokens * count * width];
            level.attention(&rows, heads, &mut scratch, &mut output);
            output
        };
        for level in faster() {
            assert_close(level, &attend(level), &attend(Level::Scalar), 5.0);
        }
    }

    #[test]
    fn gelus_agree(seed: u64, len in 0usize..70, greatest in 0f32..20.0, shift in 0usize..4) {
        let values = numbers(seed, len + shift, greatest);
        let mut wanted = values.clone();
        Level::Scalar.gelu(&mut wanted[shift..]);
        for level in faster() {
            let mut got = values.clone();
            level.gelu(&mut got[shift..]);
            // Where nearly nothing is left of a large number, what was rounded is a share of that number.
            assert_close(level, &got, &wanted, 1.0);
        }
    }

    #[test]
    fn normalised_vectors_have_the_length_one(seed: u64, len in 1usize..200) {
        for level in Level::available() {
            let mut vector = numbers(seed, len, 5.0);
            vector[0] = 1.0;
            level.normalize(&mut vector);
            prop_assert!((level.dot_f32(&vector, &vector) - 1.0).abs() < 1e-5);
        }
    }
}

/// The error function by its series, which converges everywhere.
fn erf(x: f64) -> f64 {
    let (mut term, mut sum) = (x, x);
    for n in 1..200 {
        term *= -x * x / f64::from(n);
        sum += term / f64::from(2 * n + 1);
    }
    sum * 2.0 / std::f64::consts::PI.sqrt()
}

#[test]
fn gelu_is_within_a_millionth() {
    for level in Level::available() {
        for step in -600..=600 {
            let x = f64::from(step) / 100.0;
            let mut value = [x as f32];
            level.gelu(&mut value);
            let wanted = 0.5 * x * (1.0 + erf(x / std::f64::consts::SQRT_2));
            assert!(
                (f64::from(value[0]) - wanted).abs() <= 1e-6,
                "{level:?}: {value:?} is not {wanted} at {x}"
            );
        }
        let mut far = [-1e30, -50.0, 50.0, 1e30];
        level.gelu(&mut far);
        assert!(
            far[0].abs() <= 1e-6 && far[1].abs() <= 1e-6 && far[2] > 49.999 && far[3] > 0.99999e30,
            "{level:?}: {far:?}"
        );
    }
}

#[test]
fn a_row_of_a_layer_does_not_depend_on_the_others() {
    let (inputs, outputs, rows) = (96, 50, 29);
    let input = numbers(1, rows * inputs, 2.0);
    let (weights, bias) = (numbers(2, inputs * outputs, 1.0), numbers(3, outputs, 1.0));
    let (floats, bytes) = (Dense::new(&weights, &bias, inputs), QuantizedDense::new(&weights, &bias, inputs));
    for level in Level::available() {
        let apply = |input: &[f32]| {
            let mut output = vec![0.0; input.len() / inputs * outputs * 2];
            let (first, second) = output.split_at_mut(input.len() / inputs * outputs);
            floats.apply(level, input, Finish::Gelu, first);
            let mut quantized = QuantizedRows::default();
            quantized.fill(level, input, inputs);
            bytes.apply(level, &quantized, Finish::Gelu, second);
            output
        };
        let together = apply(&input);
        let (first, second) = together.split_at(rows * outputs);
        for row in 0..rows {
            let alone = apply(&input[row * inputs..][..inputs]);
            assert_eq!(alone[..outputs], first[row * outputs..][..outputs], "{level:?}");
            assert_eq!(alone[outputs..], second[row * outputs..][..outputs], "{level:?}");
        }
    }
}

#[test]
fn the_greatest_bytes_do_not_overflow() {
    for level in Level::available() {
        for (a, b) in [(127, 127), (-127, 127), (-127, -127), (-128, -128), (-128, 127)] {
            assert_eq!(level.dot_i8(&[a; 4099], &[b; 4099]), i32::from(a) * i32::from(b) * 4099, "{level:?}");
        }
    }
}

#[test]
fn noughts_have_the_scale_nought() {
    for level in Level::available() {
        let mut bytes = [7; 21];
        assert_eq!(level.quantize(&[0.0; 21], &mut bytes), 0.0);
        assert_eq!(bytes, [0; 21]);
        let mut vector = [0.0; 21];
        level.normalize(&mut vector);
        assert_eq!(vector, [0.0; 21]);
    }
}

#[test]
fn the_functions_without_a_level_use_the_best() {
    let (a, b) = (numbers(1, 40, 1.0), numbers(2, 40, 1.0));
    assert_eq!(dot_f32(&a, &b), Level::best().dot_f32(&a, &b));
    let (mut c, mut d) = ([0; 40], [0; 40]);
    assert!(quantize(&a, &mut c) > 0.0 && quantize(&b, &mut d) > 0.0);
    assert_eq!(dot_i8(&c, &d), Level::Scalar.dot_i8(&c, &d));
    let (mut floats, mut sums) = ([0.0; 2], [0; 2]);
    scan_f32(&a[..20], &b, &mut floats);
    scan_i8(&c[..20], &d, &mut sums);
    assert_eq!(floats[1], dot_f32(&a[..20], &b[20..]));
    assert_eq!(sums[1], dot_i8(&c[..20], &d[20..]));
}

#[test]
#[should_panic(expected = "another length")]
fn rows_of_another_length_are_refused() {
    scan_f32(&[1.0; 3], &[1.0; 7], &mut [0.0; 2]);
}
